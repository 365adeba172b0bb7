// The subject and the text of an e-mail without its own, in the language of the document.
import type { Language } from '../../companies/parties/party.js';
import type { EmailContent, EmailedType } from '../../emails/email.js';

interface TextParts {
  readonly type: EmailedType;
  readonly number: string;
  /** The name of the company. */
  readonly seller: string;
  readonly language: Language;
}

interface Words {
  readonly nouns: Readonly<Record<EmailedType, string>>;
  readonly subject: (noun: string, number: string, seller: string) => string;
  readonly greeting: string;
  readonly attached: Readonly<Record<EmailedType, (number: string) => string>>;
  readonly closing: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    nouns: { invoice: 'Invoice', creditNote: 'Credit note' },
    subject: (noun, number, seller) => `${noun} ${number} from ${seller}`,
    greeting: 'Hello,',
    attached: {
      invoice: number => `Please find invoice ${number} attached.`,
      creditNote: number => `Please find credit note ${number} attached.`,
    },
    closing: 'Kind regards',
  },
  de: {
    nouns: { invoice: 'Rechnung', creditNote: 'Gutschrift' },
    subject: (noun, number, seller) => `${noun} ${number} von ${seller}`,
    greeting: 'Guten Tag,',
    attached: {
      invoice: number => `anbei erhalten Sie die Rechnung ${number}.`,
      creditNote: number => `anbei erhalten Sie die Gutschrift ${number}.`,
    },
    closing: 'Freundliche Grüße',
  },
  fr: {
    nouns: { invoice: 'Facture', creditNote: 'Avoir' },
    subject: (noun, number, seller) => `${noun} ${number} de ${seller}`,
    greeting: 'Bonjour,',
    attached: {
      invoice: number => `Veuillez trouver ci-joint la facture ${number}.`,
      creditNote: number => `Veuillez trouver ci-joint l’avoir ${number}.`,
    },
    closing: 'Cordialement',
  },
  es: {
    nouns: { invoice: 'Factura', creditNote: 'Factura rectificativa' },
    subject: (noun, number, seller) => `${noun} ${number} de ${seller}`,
    greeting: 'Buenos días:',
    attached: {
      invoice: number => `Adjuntamos la factura ${number}.`,
      creditNote: number => `Adjuntamos la factura rectificativa ${number}.`,
    },
    closing: 'Un cordial saludo',
  },
  it: {
    nouns: { invoice: 'Fattura', creditNote: 'Nota di credito' },
    subject: (noun, number, seller) => `${noun} ${number} di ${seller}`,
    greeting: 'Buongiorno,',
    attached: {
      invoice: number => `in allegato la fattura ${number}.`,
      creditNote: number => `in allegato la nota di credito ${number}.`,
    },
    closing: 'Cordiali saluti',
  },
  nl: {
    nouns: { invoice: 'Factuur', creditNote: 'Creditnota' },
    subject: (noun, number, seller) => `${noun} ${number} van ${seller}`,
    greeting: 'Goedendag,',
    attached: {
      invoice: number => `In de bijlage vindt u factuur ${number}.`,
      creditNote: number => `In de bijlage vindt u creditnota ${number}.`,
    },
    closing: 'Met vriendelijke groet',
  },
};

/** The longest subject that a request may have. */
export const MAX_SUBJECT = 200;

export function builtInText(parts: TextParts): Pick<EmailContent, 'subject' | 'message'> {
  const { type, number, seller, language } = parts;
  const { nouns, subject, greeting, attached, closing } = WORDS[language];
  const whole = subject(nouns[type], number, seller);
  return {
    subject: [...whole].slice(0, MAX_SUBJECT).join(''),
    message: [greeting, attached[type](number), `${closing}\n${seller}`].join('\n\n'),
  };
}

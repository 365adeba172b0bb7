// The bytes of an e-mail. Its Message-ID and date are the same in each attempt, so a server or a
// reader recognizes one that arrives twice.
import MailComposer from 'nodemailer/lib/mail-composer';
import { asciiAddress } from '../addresses.js';
import type { EmailAttachment, EmailContent, EmailSender } from '../email.js';

export interface ComposedEmail extends EmailContent {
  readonly id: string;
  readonly date: Date;
  readonly sender: EmailSender;
  readonly attachments: readonly EmailAttachment[];
}

/** `from` is the address of the installation. The copy's address is in no header. */
export function composeEmail(email: ComposedEmail, from: string): Promise<Buffer> {
  const { id, date, sender, recipients, subject, message, attachments } = email;
  const composer = new MailComposer({
    from: addressOf(from, plainLine(sender.name)),
    to: recipients.to.map(address => addressOf(address)),
    cc: recipients.cc.map(address => addressOf(address)),
    ...(sender.replyTo === null ? {} : { replyTo: addressOf(sender.replyTo) }),
    messageId: messageIdOf(id, from),
    date,
    subject: plainLine(subject),
    text: message,
    html: htmlOf(message),
    attachments: attachments.map(({ fileName, mediaType, bytes }) => ({
      filename: fileName,
      contentType: mediaType,
      content: bytes,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

export function messageIdOf(id: string, from: string): string {
  return `<${id}@${asciiAddress(from).replace(/^.*@/u, '')}>`;
}

/** As an object, so that no address is parsed as a list or a name. */
const addressOf = (address: string, name = '') => ({ name, address: asciiAddress(address) });

/** Texts are checked when they are sent. A header must not depend on that. */
function plainLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function htmlOf(text: string): string {
  const escaped = text.replaceAll(/[&<>"]/gu, character => ESCAPES[character] ?? '');
  return `<p>${escaped.replaceAll('\n', '<br>\n')}</p>\n`;
}

// The messages to and from the thread that renders documents.
import type { DocumentModel } from '../model/document.js';

export type DocumentForm = 'pdf' | 'ubl' | 'cii' | 'delivery-note';

export interface RenderJob {
  readonly form: DocumentForm;
  readonly document: DocumentModel;
  readonly logo: Uint8Array | null;
  readonly isDraft: boolean;
}

export type RenderReply = { readonly bytes: Uint8Array } | { readonly failure: string };

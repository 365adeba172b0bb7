// The person or the API key behind a change, with the name at that time.

export interface Actor {
  readonly kind: 'user' | 'key';
  readonly id: string;
  /** The user's e-mail address, or the key's name. */
  readonly name: string;
}

// Who did something: a person in the dashboard or an API key, with the name at that time.

export interface Actor {
  readonly kind: 'user' | 'key';
  readonly id: string;
  /** The user's e-mail address, or the key's name. */
  readonly name: string;
}

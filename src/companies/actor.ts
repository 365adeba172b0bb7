// The person or the API key behind a change, with the name at that time.

export interface Actor {
  readonly kind: 'user' | 'key';
  readonly id: string;
  /** The user's e-mail address, or the key's name. */
  readonly name: string;
}

/** An actor as pages show it. */
export interface ShownActor extends Actor {
  /** The user's name now. Null or absent for a key, and for a user without a name. */
  readonly currentName?: string | null;
}

/** SQL for the ShownActor in created_by of the row with this alias; null if it has none. */
export function shownActor(alias: string): string {
  return `CASE WHEN ${alias}.created_by IS NOT NULL THEN
      json_build_object(
        'kind', ${alias}.created_by -> 'kind',
        'id', ${alias}.created_by -> 'id',
        'name', ${alias}.created_by -> 'name',
        'currentName', (
          SELECT users.name
          FROM users
          WHERE users.company_id = ${alias}.company_id
            AND users.id = (${alias}.created_by ->> 'id')::uuid
        )
      )
    END`;
}

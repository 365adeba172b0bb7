// Types that are made of other types.

/** The same members in one object type, read only. */
type Flat<Of> = { readonly [Name in keyof Of]: Of[Name] };

type Absent<Of> = { [Name in keyof Of]: undefined extends Of[Name] ? Name : never }[keyof Of];

/** The object with these members, of which those that may be undefined may be absent. */
export type WithAbsent<Of> = Flat<
  { [Name in Exclude<keyof Of, Absent<Of>>]: Of[Name] } & {
    [Name in Absent<Of>]?: Exclude<Of[Name], undefined>;
  }
>;

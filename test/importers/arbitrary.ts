import * as fc from 'fast-check';

/** What people write where something else is meant. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e12,
    'os.environ/X',
    'os.environ/',
    '${X}',
    'a: b # c',
    [],
    {},
    ['a'],
    { a: 1 },
    'ü/ö',
    '*',
    'a*b',
  ),
  fc.string({ maxLength: 12 }),
);
export const orJunk = (meant: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: meant }, { weight: 1, arbitrary: junk });
/** A section with some of these members, or with something else in their place. */
export const some = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(Object.entries(members).map(([name, meant]) => [name, orJunk(meant)])), {
    requiredKeys: [],
  });

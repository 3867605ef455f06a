import type { Discriminant } from './discriminants.ts';
import type { Outcome } from './drive.ts';
import type { TypeReader } from './read-types.ts';
import type { Surface } from './surfaces/surface.ts';

/**
 * What the gateway does with a name: it knows it, or treats it as any other. What it does not know is reported or
 * refused by name, passed on like any text, or left out without a word.
 */
export type Treatment = 'known' | 'named' | 'passed on' | 'left out';

const isRefused = (outcomes: readonly Outcome[]): boolean => outcomes.every(({ refused }) => refused);

function treat({ drive }: Surface, { name, madeUp, value, control, without }: Discriminant): Treatment {
  const [is, other] = [drive(value), drive(control)];
  if (JSON.stringify(is) !== JSON.stringify(other).replaceAll(madeUp, name)) return 'known';
  const before = new Set(drive(without).flatMap(({ losses }) => losses.map(({ field }) => field)));
  const isNamed = ({ refused, losses }: Outcome): boolean => refused || losses.some(({ field }) => !before.has(field));
  if (is.every(isNamed)) return 'named';
  const written = JSON.stringify(other.map((outcome) => outcome.written));
  return written.includes(madeUp) ? 'passed on' : 'left out';
}

interface Attempt {
  readonly treatment: Treatment;
  /** Whether the names inside are tried. */
  readonly opens: boolean;
}

/**
 * What the gateway does with each name of a surface, by its path. Within what is not known, or always refused, no name
 * is tried. Several types can have a name at one path: it is known if one of them is.
 */
export function treatAll(surface: Surface, types: TypeReader): ReadonlyMap<string, Treatment> {
  const found = new Map<string, Treatment>();
  const tried = new Map<string, Attempt>();
  const attempt = (one: Discriminant): Attempt => {
    const key = JSON.stringify([one.path, one.value]);
    const earlier = tried.get(key);
    if (earlier !== undefined) return earlier;
    const treatment = treat(surface, one);
    const attempted = { treatment, opens: treatment === 'known' && !isRefused(surface.drive(one.value)) };
    tried.set(key, attempted);
    return attempted;
  };
  const visit = (one: Discriminant): void => {
    if (surface.skip?.test(one.path) === true) return;
    const { treatment, opens } = attempt(one);
    if (treatment === 'known' || !found.has(one.path)) found.set(one.path, treatment);
    if (opens) for (const inner of one.inner()) visit(inner);
  };
  for (const one of surface.list(types)) visit(one);
  return found;
}

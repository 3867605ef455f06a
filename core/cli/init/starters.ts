import type { InitModel } from '../../contracts/extension.ts';
import type { BuiltIns } from '../../extensions/extension.ts';

/** A provider that the first configuration includes. */
export interface Starter {
  readonly name: string;
  readonly models: readonly InitModel[];
  /** The environment variable with its key; absent: it needs none. */
  readonly variable?: string;
}

/** A provider with a key that can be included. */
export interface Offer {
  readonly name: string;
  readonly models: readonly InitModel[];
  /** The usual environment variables of its key. */
  readonly variables: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const isSet = (env: Environment, variable: string): boolean => (env[variable] ?? '') !== '';

/** The providers that need no key, and those that do. */
export function listOffers({ provider }: BuiltIns): {
  readonly keyless: readonly Starter[];
  readonly offers: readonly Offer[];
} {
  const all = Object.entries(provider).flatMap(([name, { init }]) =>
    init === undefined ? [] : [{ name, models: init.models, variables: init.env }],
  );
  return {
    keyless: all.flatMap(({ variables, ...starter }) => (variables.length === 0 ? [starter] : [])),
    offers: all.filter(({ variables }) => variables.length > 0),
  };
}

/** The providers that need no key, and those whose keys are in the environment. */
export function selectStarters(builtIns: BuiltIns, env: Environment): readonly Starter[] {
  const { keyless, offers } = listOffers(builtIns);
  return [
    ...keyless,
    ...offers.flatMap(({ name, models, variables }) => {
      const variable = variables.find((candidate) => isSet(env, candidate));
      return variable === undefined ? [] : [{ name, models, variable }];
    }),
  ];
}

import type { InitModel, ProviderInit } from '../../contracts/extension.ts';
import type { BuiltIns } from '../../extensions/extension.ts';

/** A provider that the first configuration includes. */
export interface Starter {
  readonly name: string;
  readonly models: readonly InitModel[];
  /** The environment variable with its key; absent: it needs none. */
  readonly variable?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const starterOf = (name: string, { env: variables, models }: ProviderInit, env: Environment): readonly Starter[] => {
  const variable = variables.find((candidate) => (env[candidate] ?? '') !== '');
  return variable === undefined ? [] : [{ name, models, variable }];
};

/** The providers that need no key, and those whose keys are in the environment. */
export function selectStarters({ provider }: BuiltIns, env: Environment): readonly Starter[] {
  const offered = Object.entries(provider).flatMap(([name, { init }]) =>
    init === undefined ? [] : [[name, init] as const],
  );
  const keyless = offered.filter(([, { env: variables }]) => variables.length === 0);
  return [
    ...keyless.map(([name, { models }]) => ({ name, models })),
    ...offered.flatMap(([name, init]) => starterOf(name, init, env)),
  ];
}

import type { InitModel } from '../../contracts/extension.ts';
import type { Starter } from './starters.ts';

/** The first part of the ids of models that several providers have. */
export const SHARED = 'any';

/** A model with the models of several providers as targets. */
export interface SharedModel {
  /** Its id is `any/<name>`. */
  readonly name: string;
  readonly targets: readonly { readonly provider: string; readonly model: InitModel }[];
}

type Choice = SharedModel['targets'][number];

/** The choices with the same name, those of at least two providers. Of each provider the first one counts. */
const group = (choices: readonly (readonly [name: string, choice: Choice])[]): readonly SharedModel[] =>
  [...Map.groupBy(choices, ([name]) => name)].flatMap(([name, named]) => {
    const byProvider = new Map(named.toReversed().map(([, choice]) => [choice.provider, choice]));
    const targets = named.map(([, choice]) => choice).filter((choice) => byProvider.get(choice.provider) === choice);
    return targets.length < 2 ? [] : [{ name, targets }];
  });

/** Models that several providers with a key have, and the choices of these providers for each purpose. */
export function listShared(starters: readonly Starter[]): readonly SharedModel[] {
  const choices = starters
    .filter(({ variable }) => variable !== undefined)
    .flatMap(({ name, models }) => models.map((model): Choice => ({ provider: name, model })));
  return [
    ...group(choices.map((choice) => [choice.model.as ?? choice.model.name, choice] as const)),
    ...group(
      choices.flatMap((choice) => (choice.model.role === undefined ? [] : [[choice.model.role, choice] as const])),
    ),
  ];
}

/** The wires of the targets that have any; each target serves all of them, natively or translated. */
const wiresOf = ({ targets }: SharedModel): readonly string[] => [
  ...new Set(targets.flatMap(({ model }) => model.wires ?? [])),
];

const writeShared = (shared: SharedModel): string => {
  const wires = wiresOf(shared);
  return [
    `  ${SHARED}/${shared.name}:`,
    '    targets:',
    ...shared.targets.map(({ provider, model }) => `      - { provider: ${provider}, model: ${model.name} }`),
    ...(wires.length === 0 ? [] : [`    wires: [${wires.join(', ')}]`]),
  ].join('\n');
};

export const writeSharedModels = (shared: readonly SharedModel[]): readonly string[] =>
  shared.length === 0
    ? []
    : [
        '  # Models with several targets: if one fails before its first content, the next one gets the same request. A',
        "  # request in the target's own wire stays as the client wrote it; for other targets it is translated.",
        ...shared.map(writeShared),
      ];

import { hash } from 'node:crypto';

/** How much a configuration has. */
export interface Sizes {
  readonly keys: number;
  readonly projects: number;
  readonly models: number;
}

/** What a change of the configuration changes: one key, or something of every key and every model. */
export type Version = 'first' | 'one key' | 'everything';

const PROJECTS_PER_ORGANIZATION = 100;

const range = (count: number): readonly number[] => [...Array(count).keys()];

const linesOfKey = (index: number, version: Version): readonly string[] => [
  `          key-${index}:`,
  `            sha256: ${hash('sha256', `key ${index}`)}`,
  ...(version === 'everything' ? ['            tags: { changed: all }'] : []),
  ...(version === 'one key' && index === 0 ? ['            disabled: true'] : []),
];

const linesOfModel = (index: number, version: Version): readonly string[] => [
  `  simulator/model-${index}:`,
  '    targets:',
  `      - { provider: simulator, model: model-${index} }`,
  '    price:',
  '      input: 2.5',
  `      output: ${version === 'everything' ? 12 : 10}`,
];

/** The text of a configuration in one file. */
export function writeConfig({ keys, projects, models }: Sizes, version: Version, database: string): string {
  const perProject = Math.ceil(keys / projects);
  return [
    'server: { port: 0, watch: false }',
    'admin: { port: 0 }',
    `store: { database: "sqlite:${database}" }`,
    'providers: { simulator: { use: simulator } }',
    'plugins:',
    '  - use: auth',
    '  - use: rate-limit',
    '  - use: ledger',
    '  - use: metrics',
    'models:',
    '  simulator/chat: { targets: [{ provider: simulator, model: chat }], unpriced: allow }',
    ...range(models).flatMap((index) => linesOfModel(index, version)),
    'organizations:',
    ...range(Math.ceil(projects / PROJECTS_PER_ORGANIZATION)).flatMap((organization) => [
      `  org-${organization}:`,
      '    projects:',
      ...range(Math.min(PROJECTS_PER_ORGANIZATION, projects - organization * PROJECTS_PER_ORGANIZATION)).flatMap(
        (index) => {
          const project = organization * PROJECTS_PER_ORGANIZATION + index;
          return [
            `      project-${project}:`,
            '        limits: [{ per: month, cost: 500 }]',
            '        keys:',
            ...range(perProject).flatMap((key) => linesOfKey(project * perProject + key, version)),
          ];
        },
      ),
    ]),
    '',
  ].join('\n');
}

import { configOption, formatOption, type CommandForm, type Options } from './option.ts';

/** The settings of a key, for `koine keys create` and `koine keys edit`. */
export const settingOptions = {
  models: { type: 'string', value: 'PATTERN,...', description: 'models it can use, such as openai/*; default: all' },
  limit: {
    type: 'string',
    multiple: true,
    value: 'UNIT=AMOUNT/WINDOW',
    description: 'a limit, such as requests=60/1m, cost=25/month or concurrent=8',
  },
  losses: { type: 'string', choices: ['allow', 'warn', 'reject'], description: 'what a translation may lose' },
  'vendor-state': {
    type: 'string',
    choices: ['allow', 'owned', 'refuse'],
    description: 'use of objects that are stored at a vendor',
  },
  'cost-headers': {
    type: 'string',
    choices: ['off', 'on'],
    description: 'whether responses have headers with their cost',
  },
  'hosted-tools': {
    type: 'string',
    value: 'TOOL,...|drop|refuse',
    description: 'tools that may run at a vendor, and what happens to others',
  },
  tags: { type: 'string', value: 'NAME=VALUE,...', description: 'tags of its requests, by which usage is reported' },
  metadata: { type: 'string', multiple: true, value: 'NAME=VALUE', description: 'a note on the key' },
  owner: { type: 'string', value: 'NAME', description: 'the person the key belongs to' },
  expires: { type: 'string', value: 'TIME', description: 'a day or a time, such as 2027-01-31' },
} as const satisfies Options;

const place = {
  organization: { type: 'string', value: 'NAME', description: 'its organization; default: default' },
  project: { type: 'string', value: 'NAME', description: 'its project; default: default' },
} as const satisfies Options;

const allowUnknownProject = {
  'allow-unknown-project': { type: 'boolean', description: 'also in a project that the configuration lacks' },
} as const satisfies Options;

const selected = {
  id: { type: 'string', value: 'ID', description: 'selects the key by its id' },
  prefix: { type: 'string', value: 'PREFIX', description: 'selects the key by the beginning of its secret' },
} as const satisfies Options;

export const createOptions = {
  name: { type: 'string', required: true, value: 'NAME', description: 'its name' },
  ...place,
  ...settingOptions,
  ...allowUnknownProject,
  ...configOption,
} as const satisfies Options;

export const importOptions = {
  out: { type: 'string', value: 'SECRETS.csv', description: 'a new file for the secrets; default: standard output' },
  'skip-existing': { type: 'boolean', default: false, description: 'leaves out rows whose keys exist' },
  'allow-unknown-project': { ...allowUnknownProject['allow-unknown-project'], default: false },
  ...configOption,
} as const satisfies Options;

export const editOptions = {
  ...selected,
  organization: { ...place.organization, description: 'the organization, where several keys have the name' },
  project: { ...place.project, description: 'the project, where several keys have the name' },
  name: { type: 'string', value: 'NEW', description: 'a new name' },
  ...settingOptions,
  'remove-limit': {
    type: 'string',
    multiple: true,
    value: 'UNIT[/WINDOW]',
    description: 'removes a limit, such as cost/month',
  },
  remove: { type: 'string', value: 'SETTING,...', description: 'removes settings, such as expires,limits,tags' },
  disable: { type: 'boolean', description: 'refuses its requests' },
  enable: { type: 'boolean', description: 'serves its requests again' },
  ...configOption,
} as const satisfies Options;

export const listOptions = {
  organization: { type: 'string', value: 'NAME', description: 'only those of the organization' },
  project: { type: 'string', value: 'NAME', description: 'only those of the project' },
  owner: { type: 'string', value: 'NAME', description: 'only those of the person' },
  find: { type: 'string', value: 'TEXT', description: 'only those with the text in their name or place' },
  state: { type: 'string', value: 'STATE,...', description: 'only those in these states, such as active,expiring' },
  sort: { type: 'string', choices: ['created', '-created', 'name', '-name'], description: 'the order; -: descending' },
  limit: { type: 'string', value: 'COUNT', description: 'at most so many; default: all' },
  ...formatOption,
  ...configOption,
} as const satisfies Options;

export const revokeOptions = { ...selected, ...configOption } as const satisfies Options;

export const rotateOptions = {
  ...selected,
  overlap: {
    type: 'string',
    default: '0s',
    value: 'DURATION',
    description: 'how long the old secret stays valid, such as 24h',
  },
  ...configOption,
} as const satisfies Options;

/** The forms of `koine keys`. */
export const keyForms: readonly CommandForm[] = [
  { verb: 'create', summary: 'creates a key and prints its secret once', options: createOptions },
  {
    verb: 'import',
    operands: 'FILE.csv',
    summary: 'creates all keys of a table, or none',
    options: importOptions,
  },
  { verb: 'edit', operands: '[NAME]', summary: 'changes settings of a key', options: editOptions },
  { verb: 'list', summary: 'lists keys', options: listOptions },
  { verb: 'rotate', summary: 'replaces a key by one with a new secret', options: rotateOptions },
  { verb: 'revoke', summary: 'ends a key', options: revokeOptions },
  { verb: 'hash', operands: '< SECRET', summary: 'prints the hash of a secret, for the file', options: {} },
];

import { operationNames } from '../../canonical/operation/operations.ts';
import { adminOptions, configOption, formatOption, type Options } from './option.ts';

const words = (names: string) => ({ type: 'string', value: 'NAME,...', description: names }) as const;

export const explainOptions = {
  key: { type: 'string', required: true, value: 'NAME', description: 'the key of the request' },
  model: { type: 'string', required: true, value: 'MODEL', description: 'the model that it asks for' },
  wire: { type: 'string', value: 'WIRE', description: 'the wire of the client; default: the first of the model' },
  operation: { type: 'string', choices: operationNames, description: 'what it does; default: generate' },
  stream: { type: 'boolean', description: 'as a stream' },
  user: { type: 'string', value: 'NAME', description: 'the end user of the request' },
  tags: { type: 'string', value: 'NAME=VALUE,...', description: 'tags of the request' },
  body: { type: 'string', value: 'FILE', description: 'the body that the client would send, as JSON' },
  all: { type: 'boolean', description: 'the call of each target, not only of the first' },
  organization: { type: 'string', value: 'NAME', description: 'the organization, where several keys have the name' },
  project: { type: 'string', value: 'NAME', description: 'the project, where several keys have the name' },
  ...formatOption,
  ...configOption,
} as const satisfies Options;

const timeOptions = {
  from: { type: 'string', value: 'TIME', description: 'a day or a time, such as 2026-11-21 or 2026-11-21T09:00:00Z' },
  to: { type: 'string', value: 'TIME', description: 'the end of the time; default: now' },
  last: { type: 'string', value: 'DURATION', description: 'the time until now, such as 30m or 7d, in place of --from' },
} as const satisfies Options;

export const requestsOptions = {
  ...timeOptions,
  organization: words('organizations'),
  project: words('projects, such as acme/web'),
  key: words('keys, such as acme/web/alice'),
  model: words('models of the catalog'),
  provider: words('providers of the last attempt'),
  user: words('end users'),
  outcome: words('outcomes or their classes: success, client_error, limited, failure'),
  code: words('codes of errors'),
  status: words('statuses that clients received'),
  tag: { type: 'string', value: 'NAME:VALUE', description: 'a tag and its value' },
  'min-duration-ms': { type: 'string', value: 'MS', description: 'requests that took at least so many milliseconds' },
  'min-cost': { type: 'string', value: 'USD', description: 'requests that cost at least so many dollars' },
  limit: { type: 'string', default: '50', value: 'COUNT', description: 'at most so many' },
  ...formatOption,
  ...adminOptions,
  ...configOption,
} as const satisfies Options;

export const usageOptions = {
  ...timeOptions,
  by: {
    type: 'string',
    value: 'NAME,...',
    description:
      'one line for each combination of these: organization, project, key, model, provider, user, tag:NAME, ...',
  },
  bucket: { type: 'string', choices: ['minute', 'hour', 'day', 'month'], description: 'one line for each of these' },
  top: { type: 'string', value: 'COUNT', description: 'only the largest lines of --by; the rest is one line' },
  sort: { type: 'string', choices: ['cost', 'exchanges', 'tokens'], description: 'the figure of --top; default: cost' },
  where: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE,...',
    description: 'a filter, such as model=openai/gpt-4.1 or tag:team=search',
  },
  format: {
    type: 'string',
    default: 'text',
    choices: ['text', 'json', 'csv'],
    description: 'text for people, json and csv for programs',
  },
  ...adminOptions,
  ...configOption,
} as const satisfies Options;

export const agentsOptions = {
  url: { type: 'string', value: 'URL', description: 'the address of the gateway; default: that of the configuration' },
  model: { type: 'string', value: 'MODEL', description: 'the model of the lines; default: the first' },
  ...configOption,
} as const satisfies Options;

export const recordOptions = {
  provider: { type: 'string', required: true, value: 'NAME', description: 'the provider that is recorded' },
  model: { type: 'string', required: true, value: 'NAME', description: 'the model, as the server names it' },
  out: { type: 'string', required: true, value: 'FOLDER', description: 'the folder of the recordings' },
  server: { type: 'string', value: '"NAME VERSION"', description: 'the server, for the origin of the recordings' },
  cases: { type: 'string', value: 'NAME,...', description: 'the cases; default: all' },
  audio: { type: 'string', value: 'FILE', description: 'a file with speech, for the cases transcribe and translate' },
  repeatable: { type: 'boolean', description: 'the server repeats itself: a recording and its stream have one case' },
  ...configOption,
} as const satisfies Options;

export const verifyOptions = {
  head: { type: 'string', value: 'DIGEST', description: 'a digest of an earlier run, whose entry must be there' },
  ...formatOption,
  ...configOption,
} as const satisfies Options;

export const migrateOptions = {
  from: { type: 'string', required: true, value: 'URL', description: 'the SQLite database: sqlite:./data/koine.db' },
  to: { type: 'string', required: true, value: 'URL', description: 'an empty Postgres: postgres://user@host/database' },
} as const satisfies Options;

export const hashOptions = {
  files: { type: 'boolean', default: false, description: 'lists the files that the hash covers' },
  ...configOption,
} as const satisfies Options;

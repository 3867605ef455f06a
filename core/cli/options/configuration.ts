import { adminOptions, configOption, formatOption, timeoutOption, type Options } from './option.ts';

const force = { type: 'boolean', default: false, description: 'overwrites an existing file' } as const;

export const serveOptions = {
  config: {
    type: 'string',
    value: 'FILE',
    description: 'the configuration; default: gateway.yaml, which is written if it is missing',
  },
  port: { type: 'string', value: 'PORT', description: 'in place of server.port; 0: one that is free' },
  'admin-port': { type: 'string', value: 'PORT', description: 'in place of admin.port; 0: one that is free' },
} as const satisfies Options;

export const initOptions = {
  ...configOption,
  force,
  yes: { type: 'boolean', default: false, description: 'asks nothing: the vendors whose keys are set, for one person' },
} as const satisfies Options;

export const importOptions = {
  out: { type: 'string', value: 'FILE', description: 'the file to write; default: standard output' },
  force,
  verify: {
    type: 'boolean',
    default: false,
    description: 'prints where each old name is sent, in the source and in the result; exits with 1 if one is lost',
  },
} as const satisfies Options;

export const checkOptions = {
  ...configOption,
  format: {
    type: 'string',
    default: 'text',
    choices: ['text', 'json', 'github', 'sarif'],
    description: 'text for people, json for programs, github and sarif for reviews of code',
  },
  audit: { type: 'boolean', default: false, description: 'adds advice for a security review' },
  strict: { type: 'boolean', default: false, description: 'exits with 1 also for warnings' },
  live: { type: 'boolean', default: false, description: 'connects to Redis, Postgres and the services of plugins' },
} as const satisfies Options;

export const printOptions = {
  effective: { type: 'boolean', default: false, description: 'every value with its default, and where it comes from' },
  format: { type: 'string', default: 'yaml', choices: ['yaml', 'json'], description: 'the language of the output' },
  ...configOption,
} as const satisfies Options;

export const diffOptions = {
  live: { type: 'boolean', default: false, description: 'compares the running gateway with the file' },
  ...adminOptions,
  ...formatOption,
} as const satisfies Options;

export const catalogOptions = {
  all: { type: 'boolean', default: false, description: 'also shipped prices of models that the configuration lacks' },
  changes: { type: 'boolean', default: false, description: 'changes of prices, from the ledger' },
  ...formatOption,
  ...configOption,
} as const satisfies Options;

export const syncOptions = {
  all: { type: 'boolean', default: false, description: 'also models with a date, which are versions of others' },
  write: { type: 'boolean', default: false, description: 'adds the new models to the configuration' },
  ...timeoutOption,
  ...formatOption,
  ...configOption,
} as const satisfies Options;

export const doctorOptions = {
  generate: { type: 'boolean', default: false, description: 'also generates 16 tokens with each credential' },
  ...timeoutOption,
  ...formatOption,
  ...configOption,
} as const satisfies Options;

export const schemaOptions = {
  config: {
    type: 'string',
    value: 'FILE',
    description: 'the configuration, for its extensions; default: gateway.yaml',
  },
  write: { type: 'boolean', default: false, description: 'writes gateway.schema.json beside the configuration' },
} as const satisfies Options;

import type { CommandOption } from '../../contracts/extension.ts';

/** The options of a command, by name. `--help` and the completion describe what `parseOptions` accepts. */
export type Options = Readonly<Record<string, CommandOption>>;

/** One way to call a command: `koine keys create`. */
export interface CommandForm {
  /** The second word, as `create`; absent: the command has one form. */
  readonly verb?: string;
  /** What follows the words, as `--help` shows it: `FILE`. */
  readonly operands?: string;
  /** Words that the first operand can be, for the completion. */
  readonly operandChoices?: readonly string[];
  /** One sentence; absent: that of the command. */
  readonly summary?: string;
  readonly options: Options;
  /** What else `--help` has to say: exit codes other than the usual ones. */
  readonly note?: string;
}

export const DEFAULT_CONFIG = 'gateway.yaml';

export const configOption = {
  config: { type: 'string', default: DEFAULT_CONFIG, value: 'FILE', description: 'the configuration' },
} as const satisfies Options;

export const formatOption = {
  format: {
    type: 'string',
    default: 'text',
    choices: ['text', 'json'],
    description: 'text for people, json for programs',
  },
} as const satisfies Options;

export const timeoutOption = {
  timeout: { type: 'string', default: '15s', value: 'DURATION', description: 'how long one call to a vendor can take' },
} as const satisfies Options;

/** Where a running gateway is, and how its admin API is opened. */
export const adminOptions = {
  admin: {
    type: 'string',
    value: 'URL',
    description: 'the admin listener, such as http://127.0.0.1:8788; default: that of the configuration',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    description: 'the admin token; default: KOINE_ADMIN_TOKEN, or admin.token of the configuration',
  },
} as const satisfies Options;

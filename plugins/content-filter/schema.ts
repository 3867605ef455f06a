import type { JsonObject } from '../../core/api/index.ts';
import { sensitiveText, type SensitiveKind, type Unreadable } from '../../core/api/internal.ts';
import type { Scope } from '../shared/scope.ts';
import { duration, list } from '../shared/settings.ts';

/** What happens to a text that would take too many steps. */
export type OnBudget = 'refuse' | 'pass';
export type Action = 'redact' | 'refuse' | 'log';
export type Direction = 'input' | 'output';

/** What is searched for, where, and what happens then. */
export interface RuleOptions extends Scope {
  readonly name: string;
  readonly detect: readonly SensitiveKind[];
  readonly patterns: readonly string[];
  readonly in: readonly Direction[];
  readonly action: Action;
  readonly replacement: string;
  readonly refuseUnreadable: readonly Unreadable[];
  readonly message?: string;
  readonly onBudget: OnBudget;
}

/** A service that decides about the text of requests. */
export interface ServiceOptions extends Scope {
  readonly url: string;
  readonly shape: 'guardrail' | 'moderation';
  readonly model?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: string;
  readonly onFailure: 'refuse' | 'allow';
  readonly message?: string;
}

/** The plugin's `config` after validation, with defaults. */
export interface ContentFilterOptions {
  readonly rules: readonly RuleOptions[];
  /** Steps. */
  readonly budget: number;
  readonly service?: ServiceOptions;
}

const scope = {
  keys: list('Keys as organization/project/key; * stands for any characters. Empty: all.', ['acme/web/*']),
  routes: list('Paths of routes; * stands for any characters. Empty: all.', ['/v1/messages']),
  models: list('Models by their ids in models, not by aliases; * stands for any characters. Empty: all.', ['openai/*']),
} satisfies Record<keyof Scope, JsonObject>;

const message: JsonObject = {
  description: 'What the client gets when the rule refuses. Default: a sentence that names the rule.',
  type: 'string',
  minLength: 1,
};

const rule: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { description: 'Name in logs, metrics and refusals.', type: 'string', pattern: '^[a-z][a-z0-9-]{0,62}$' },
    detect: {
      description: 'Built-in detectors.',
      type: 'array',
      items: { enum: Object.keys(sensitiveText) },
      default: [],
      examples: [['api-keys', 'private-keys']],
    },
    patterns: list(
      'Regular expressions without places, lookarounds and references; (?i) at the start ignores letter case. ' +
        'The search takes linear time.',
      ['(?i)project\\s{1,3}x', '\\bACME-\\d{6}\\b'],
    ),
    in: {
      description: 'input: the text of requests. output: the text of responses, plain and streamed.',
      type: 'array',
      items: { enum: ['input', 'output'] },
      minItems: 1,
      uniqueItems: true,
      default: ['input', 'output'],
    },
    action: {
      description: 'redact: what was found is replaced. refuse: the request or the response is. log: it is recorded.',
      enum: ['redact', 'refuse', 'log'],
      default: 'redact',
    },
    replacement: {
      description: 'What redact writes. It must not match again.',
      type: 'string',
      maxLength: 64,
      pattern: '^[^"\\\\\\u0000-\\u001f]*$',
      default: '[redacted]',
    },
    refuseUnreadable: {
      description:
        'Requests are refused that have what no rule can read. media: bytes of images, documents, audio. references: ' +
        'files and addresses whose content is elsewhere. encrypted: what only the vendor can read, as of reasoning.',
      type: 'array',
      items: { enum: ['media', 'references', 'encrypted'] satisfies readonly Unreadable[] },
      default: [],
      examples: [['media', 'references']],
    },
    message,
    onBudget: {
      description:
        'When the search would exceed the budget. refuse: the request or the response is refused. pass: the text is ' +
        'not searched by this rule, which is counted and logged.',
      enum: ['refuse', 'pass'],
      default: 'refuse',
    },
    ...scope,
  } satisfies Record<keyof RuleOptions, JsonObject>,
};

const service: JsonObject = {
  description: 'A service that decides about the text of requests, after the rules. Default: none.',
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { description: 'Where the text is posted to.', type: 'string', pattern: '^https?://' },
    shape: {
      description:
        'guardrail: {texts, input_type}, answered with {action: NONE | BLOCKED | GUARDRAIL_INTERVENED}. ' +
        'moderation: {input}, answered with {results: [{flagged}]}, as by the moderations API of OpenAI.',
      enum: ['guardrail', 'moderation'],
      default: 'guardrail',
    },
    model: { description: 'The model of a moderation. Default: that of the service.', type: 'string', minLength: 1 },
    headers: {
      description: 'Headers of the calls.',
      type: 'object',
      additionalProperties: { type: 'string', writeOnly: true },
      default: {},
      examples: [{ authorization: 'Bearer ${GUARDRAIL_TOKEN}' }],
    },
    timeout: duration("Timeout of one call, below that of the plugin's hooks.", '2s', ['500ms']),
    onFailure: {
      description: 'When the service does not answer. refuse: the request is refused with 503. allow: it is sent.',
      enum: ['refuse', 'allow'],
      default: 'refuse',
    },
    message,
    ...scope,
  } satisfies Record<keyof ServiceOptions, JsonObject>,
};

export const schema: JsonObject = {
  type: 'object',
  description: 'Filters the text of requests and responses.',
  additionalProperties: false,
  properties: {
    rules: { description: 'Applied in this order.', type: 'array', items: rule, default: [] },
    budget: {
      description:
        'Steps that the rules may take to search one request, and each text of its response. A character takes one ' +
        'step for each detector and three for a simple pattern; koine check names patterns that take many more.',
      type: 'integer',
      minimum: 1,
      default: 200_000_000,
    },
    service,
  } satisfies Record<keyof ContentFilterOptions, JsonObject>,
};

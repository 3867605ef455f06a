import { apiKeySchemas, type ApiKeySettings, type JsonObject } from '../../core/api/index.ts';

/** Where the AWS credentials come from. */
export const sources = ['auto', 'environment', 'profile', 'web-identity', 'container', 'instance'] as const;
export type Source = (typeof sources)[number];

/** A guardrail of the account: https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails.html */
export interface Guardrail {
  readonly id: string;
  readonly version: string;
  readonly trace?: 'enabled' | 'enabled_full' | 'disabled';
  /** Whether text is checked before it is sent. */
  readonly stream?: 'sync' | 'async';
}

/** `providers.<name>.config`, validated by {@link schema}. */
export interface BedrockOptions extends ApiKeySettings {
  readonly region?: string;
  readonly credentials?: Source;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
  readonly profile?: string;
  readonly roleArn?: string;
  readonly webIdentityTokenFile?: string;
  readonly stsUrl?: string;
  readonly baseUrl?: string;
  readonly guardrail?: Guardrail;
  readonly latency?: 'standard' | 'optimized';
  readonly serviceTier?: 'default' | 'priority' | 'flex' | 'reserved';
  readonly betas?: readonly string[];
}

const text = (description: string): JsonObject => ({ type: 'string', description });
const address = (description: string): JsonObject => ({ type: 'string', pattern: '^https?://', description });

const guardrail: JsonObject = {
  type: 'object',
  description:
    'A guardrail for all requests. Its results are in the `trace` of responses, if `trace` is enabled. Left out: none.',
  additionalProperties: false,
  required: ['id', 'version'],
  properties: {
    id: text('Id or ARN of the guardrail.'),
    version: text('Version of the guardrail, or DRAFT.'),
    trace: {
      enum: ['enabled', 'enabled_full', 'disabled'],
      description: 'Whether responses have the assessments. Left out: `disabled`.',
    },
    stream: {
      enum: ['sync', 'async'],
      description: 'Whether streamed text is checked before it is sent, or after. Left out: `sync`.',
    },
  },
};

export const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Amazon Bedrock',
  description: 'Models of Amazon Bedrock: Claude by InvokeModel, all models by Converse.',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...apiKeySchemas('A Bedrock API key, sent as a bearer token. With a key, requests are not signed.'),
    region: text('The region, e.g. `us-east-1`. Left out: AWS_REGION or AWS_DEFAULT_REGION.'),
    credentials: {
      enum: sources,
      description:
        'Where the AWS credentials come from. `auto`: the first that is present of AWS_BEARER_TOKEN_BEDROCK, ' +
        'environment, web identity, profile, container role, instance role.',
      default: 'auto',
    },
    accessKeyId: text('An access key, with `secretAccessKey`. It takes precedence over `credentials`. Left out: none.'),
    secretAccessKey: text('The secret of the access key. Left out: none.'),
    sessionToken: text('The session token of a temporary access key. Left out: none.'),
    profile: text('The profile in the AWS configuration files. Left out: AWS_PROFILE, otherwise `default`.'),
    roleArn: text('The role to assume by web identity. Left out: AWS_ROLE_ARN.'),
    webIdentityTokenFile: text('The file with the token of a web identity. Left out: AWS_WEB_IDENTITY_TOKEN_FILE.'),
    stsUrl: address('The token service for web identities. Left out: that of the region.'),
    baseUrl: address(
      'Another address than that of the region: a VPC endpoint, FIPS, a proxy. Left out: that of the region.',
    ),
    guardrail,
    latency: {
      enum: ['standard', 'optimized'],
      description: 'Latency optimized inference, where the model has it. Left out: `standard`.',
    },
    serviceTier: {
      enum: ['default', 'priority', 'flex', 'reserved'],
      description: 'The service tier of requests that do not name one. Left out: that of the vendor.',
    },
    betas: {
      type: 'array',
      items: { type: 'string' },
      description: 'Values of `anthropic-beta` that Bedrock accepts, besides those that the gateway knows.',
      default: [],
    },
  },
};

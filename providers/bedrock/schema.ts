import { createApiKeySchemas, type ApiKeySettings, type JsonObject } from '../../core/api/index.ts';
import { awsSchemas, type AwsSettings } from '../identity/aws/settings.ts';

/** A guardrail of the account: https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails.html */
export interface Guardrail {
  readonly id: string;
  readonly version: string;
  readonly trace?: 'enabled' | 'enabled_full' | 'disabled';
  /** Whether text is checked before it is sent. */
  readonly stream?: 'sync' | 'async';
}

/** `providers.<name>.config`, validated by {@link schema}. */
export interface BedrockOptions extends ApiKeySettings, AwsSettings {
  readonly region?: string;
  readonly baseUrl?: string;
  readonly guardrail?: Guardrail;
  readonly latency?: 'standard' | 'optimized';
  readonly serviceTier?: 'default' | 'priority' | 'flex' | 'reserved';
  readonly betas?: readonly string[];
}

const text = (description: string): JsonObject => ({ type: 'string', description });

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
  description:
    "Models of Amazon Bedrock: Claude by InvokeModel, OpenAI's models by OpenAI's wires, all models by Converse.",
  type: 'object',
  additionalProperties: false,
  properties: {
    ...createApiKeySchemas('A Bedrock API key, sent as a bearer token. With a key, requests are not signed.'),
    region: text('The region, e.g. `us-east-1`. Left out: AWS_REGION or AWS_DEFAULT_REGION.'),
    ...awsSchemas,
    credentials: {
      ...awsSchemas.credentials,
      description:
        'Where the AWS credentials come from. `auto`: the first that is present of AWS_BEARER_TOKEN_BEDROCK, ' +
        'environment, web identity, profile, container role, instance role.',
    },
    baseUrl: {
      type: 'string',
      pattern: '^https?://',
      description:
        'Another address than that of the region: a VPC endpoint, FIPS, a proxy. Left out: that of the region.',
    },
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

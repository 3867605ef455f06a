import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { CallTimeouts } from '../gateway-config.ts';
import { optional, section, setting } from './section.ts';

const duration = (description: string, fallback?: string): JsonObject =>
  setting(description, omitUndefined({ $ref: '#/definitions/duration', default: fallback }));

const descriptions: Readonly<Record<keyof CallTimeouts, string>> = {
  firstByte: 'Until the response headers.',
  firstContent:
    'From the headers of a streamed response to its first content. A model that reasons silently can take minutes.',
  idle:
    'Without content, once a stream has sent some. Before that, and in responses that are not streamed: ' +
    'without any bytes. Pings and comments are not content.',
  total: 'For the whole call, including the response.',
};

export const providerTimeouts = optional(
  section('Timeouts of calls to the provider.', {
    connect: duration('For DNS, the connection and its TLS.', '5s'),
    firstByte: duration(descriptions.firstByte, '600s'),
    firstContent: duration(descriptions.firstContent, '600s'),
    idle: duration(descriptions.idle, '300s'),
    total: duration(descriptions.total, '30m'),
  } satisfies Record<keyof CallTimeouts | 'connect', JsonObject>),
);

export const modelTimeouts = section('Timeouts of calls for this model. Default: those of its providers.', {
  firstByte: duration(descriptions.firstByte),
  firstContent: duration(descriptions.firstContent),
  idle: duration(descriptions.idle),
  total: duration(descriptions.total),
} satisfies Record<keyof CallTimeouts, JsonObject>);

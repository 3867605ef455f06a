import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { CallTimeouts } from '../gateway-config.ts';
import { optional, section, setting } from './section.ts';

const duration = (description: string, fallback?: string): JsonObject =>
  setting(description, omitUndefined({ $ref: '#/definitions/duration', default: fallback }));

const texts: Readonly<Record<keyof CallTimeouts, string>> = {
  firstByte: 'For the head of the answer.',
  firstContent:
    'From the head of a streamed answer to its first content. A model that reasons without showing it takes minutes.',
  idle:
    'Without content in a stream that has begun to show some; before, and in whole answers, without any bytes. ' +
    'Pings and comments are no content.',
  total: 'For the whole call, from its beginning to the end of the answer.',
};

export const providerTimeouts = optional(
  section('How long to wait for the provider.', {
    connect: duration('For the name, the connection and its TLS.', '5s'),
    firstByte: duration(texts.firstByte, '600s'),
    firstContent: duration(texts.firstContent, '600s'),
    idle: duration(texts.idle, '300s'),
    total: duration(texts.total, '30m'),
  } satisfies Record<keyof CallTimeouts | 'connect', JsonObject>),
);

export const modelTimeouts = section(
  'How long to wait for this model, instead of what its providers say. Left out: as they say.',
  {
    firstByte: duration(texts.firstByte),
    firstContent: duration(texts.firstContent),
    idle: duration(texts.idle),
    total: duration(texts.total),
  } satisfies Record<keyof CallTimeouts, JsonObject>,
);

import type { JsonObject } from '../../canonical/wire.ts';
import type { GatewayConfig, PluginConfig, ProviderConfig } from '../gateway-config.ts';
import { optional, section, setting } from './section.ts';

const use = (names: readonly string[]): JsonObject =>
  setting('The name of a built-in, a path that starts with ./, ../ or / (relative to this file), or an npm package installed beside this file.', {
    type: 'string',
    minLength: 1,
    examples: names,
  });

const config = setting('Settings of its own; the extension that is used says which.', { type: 'object', default: {} });

const timeouts = optional(section('How long to wait for the provider.', {
  connect: setting('For the connection.', { $ref: '#/definitions/duration', default: '5s' }),
  firstByte: setting('For the head of the answer.', { $ref: '#/definitions/duration', default: '600s' }),
  idle: setting('Between two pieces of the answer.', { $ref: '#/definitions/duration', default: '300s' }),
} satisfies Record<keyof GatewayConfig['providers'][string]['timeouts'], JsonObject>));

/** @param builtIns offered by editors */
export const createProviderSchema = (builtIns: readonly string[]): JsonObject =>
  section('Somewhere to send requests to.', { use: use(builtIns), config, timeouts } satisfies Record<keyof ProviderConfig, JsonObject>, ['use']);

export const createPluginSchema = (builtIns: readonly string[]): JsonObject =>
  section('Takes part in every exchange.', { use: use(builtIns), config } satisfies Record<keyof PluginConfig, JsonObject>, ['use']);

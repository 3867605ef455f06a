import type { GenerateRequest, Headers, JsonObject } from '../../../../core/api/index.ts';
import {
  type BodyEdit,
  type InboundRequest,
  isObject,
  type NativePlan,
  type Origin,
  type TargetProfile,
} from '../../../../core/api/codec.ts';
import { readVersion } from '../version.ts';
import { hasForeignThinking, unsealMessages } from './request/sealed-proofs.ts';
import { createTap } from './response/tap.ts';

/** This gateway accepts a name for a format. The vendor rejects it. */
const editFormat = ({ output_config: config }: JsonObject): readonly BodyEdit[] => {
  if (!isObject(config) || !isObject(config['format']) || !('name' in config['format'])) return [];
  const { name: _name, ...format } = config['format'];
  return [{ member: 'output_config', value: { ...config, format } }];
};

const editMessages = ({ messages }: JsonObject, request: GenerateRequest, origin: Origin): readonly BodyEdit[] =>
  Array.isArray(messages) && hasForeignThinking(request)
    ? [{ member: 'messages', value: unsealMessages(messages, origin) }]
    : [];

const forwardHeaders = (headers: Headers): Headers => {
  const version = readVersion(headers);
  const beta = headers['anthropic-beta'];
  return {
    ...(version === undefined ? {} : { 'anthropic-version': version }),
    ...(beta === undefined ? {} : { 'anthropic-beta': beta }),
  };
};

/** Edits the model, the name of a format, and thinking that another vendor made. All other bytes are the client's. */
export function native(
  { body, headers }: InboundRequest,
  request: GenerateRequest,
  { model, origin }: TargetProfile,
): NativePlan {
  const members = isObject(body) ? body : {};
  return {
    edits: [{ member: 'model', value: model }, ...editFormat(members), ...editMessages(members, request, origin)],
    headers: forwardHeaders(headers),
    tap: () => createTap(isObject(members['thread']) || isObject(members['diagnostics'])),
  };
}

import type { GenerateResponse, JsonObject } from '../../../../../core/api/index.ts';
import {
  composeResponse,
  emptyResponse,
  isObject,
  malformedBody,
  type ReadContext,
  readText,
} from '../../../../../core/api/codec.ts';
import { isFailed } from '../../finish.ts';
import { WIRE } from '../../shape.ts';
import { decodeEmbeddedError, decodeFailure, hasError } from './error.ts';
import { InteractionReader } from './interaction-reader.ts';

/** Members that are read here, and members that repeat the request, which the encoder writes itself. */
export const interactionMembers: ReadonlySet<string> = new Set(
  `id object model status created updated usage service_tier steps error errors input system_instruction tools
  generation_config response_format response_mime_type response_modalities previous_interaction_id labels store
  background cached_content output_text output_image output_audio output_video role`.split(/\s+/),
);

const extraOf = (body: JsonObject): Pick<GenerateResponse, 'extra'> => {
  const members = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !interactionMembers.has(name) && value !== null),
  );
  return Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } };
};

/** Why a body is no interaction; undefined: it is one. */
export function findFault(body: unknown) {
  if (!isObject(body)) return malformedBody('is not a JSON object');
  if (isFailed(body)) return decodeFailure(body);
  if (hasError(body)) return decodeEmbeddedError(body);
  const hasStatus = readText(body['status']) !== '';
  if (!hasStatus && !Array.isArray(body['steps'])) return malformedBody('has no steps');
  return hasStatus || (Array.isArray(body['steps']) && body['steps'].length > 0) ? undefined : emptyResponse();
}

/** @throws GatewayError the error of a failed interaction, or `upstream_bad_response` */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  const fault = findFault(body);
  if (fault !== undefined) throw fault;
  const interaction = isObject(body) ? body : {};
  const plain = composeResponse((events) => new InteractionReader(context, events).finish(interaction));
  return { ...plain, ...extraOf(interaction) };
}

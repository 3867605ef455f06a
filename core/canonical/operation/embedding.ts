import { GatewayError } from '../../errors/gateway-error.ts';
import type { ExtraMembers } from '../json/extra-members.ts';
import type { Usage } from '../usage.ts';

/** A request for embedding vectors, independent of any wire. */
export interface EmbedRequest {
  /** Texts, or lists of token ids. */
  readonly inputs: readonly (string | readonly number[])[];
  /** The place of the first of `inputs` in the client's list, if they are a part of it. @example begin: 96 */
  readonly begin?: number;
  /** Paths of media inputs. They exist in the client's bytes only, so only the native lane can send them. */
  readonly media?: readonly string[];
  readonly dimensions?: number;
  readonly encoding: 'float' | 'base64';
  readonly extra: ExtraMembers;
}

/** Embedding vectors, one for each input. */
export interface EmbedResponse {
  readonly model?: string;
  /** In the order of `inputs`. */
  readonly vectors: readonly Float32Array[];
  readonly usage?: Usage;
}

/** The inputs of a request to a model that reads texts only. @throws GatewayError `unsupported_parameter` */
export const requireTexts = ({ inputs }: EmbedRequest): readonly string[] =>
  inputs.map((input) => {
    if (typeof input === 'string') return input;
    throw new GatewayError(
      'unsupported_parameter',
      "'input' holds token ids, which mean nothing to this model. Send the text itself.",
      { param: 'input' },
    );
  });

/** A number that a float of 32 bits can hold. */
const isValue = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value));
const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every(isValue);

/** The vectors of a response. @throws GatewayError `upstream_bad_response` */
export function readVectors(value: unknown): readonly Float32Array[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isVector))
    return value.map((vector) => Float32Array.from(vector));
  throw new GatewayError('upstream_bad_response', 'The response of the provider has no vectors.');
}

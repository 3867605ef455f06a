import { promptOf, type GenerateRequest, type TokenCount } from '../../../core/api/index.ts';
import { defineCodec, readObject, requireCount, type Lose, type TargetProfile } from '../../../core/api/codec.ts';
import { encodeRequest } from './request/request.ts';
import { decodeError } from './response/error.ts';
import { limits, traits } from './traits.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseTokensRequest.html */
const counted = ['messages', 'system', 'toolConfig', 'additionalModelRequestFields'] as const;

const encodeCount = (request: GenerateRequest, profile: TargetProfile, lose: Lose) => {
  const { body, headers } = encodeRequest(promptOf(request), profile, lose);
  const converse = Object.fromEntries(counted.flatMap((member) => (member in body ? [[member, body[member]]] : [])));
  return { body: { input: { converse } }, headers };
};

const decodeCount = (body: unknown): TokenCount => ({
  inputTokens: requireCount(readObject(body)['inputTokens']),
  estimated: false,
});

/** Counts the tokens of a request of Converse: https://docs.aws.amazon.com/bedrock/latest/userguide/count-tokens.html */
export const converseCountCodec = defineCodec<'count-tokens'>({
  operation: 'count-tokens',
  wire: 'bedrock-count-tokens',
  traits,
  upstream: { limits, encodeRequest: encodeCount, decodeResponse: decodeCount, decodeError },
});

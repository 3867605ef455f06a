import { hash } from 'node:crypto';
import { invalidRequest, type EmbedRequest, type EmbedResponse, type Usage } from '../../../core/api/index.ts';
import { noTokens } from '../../../core/api/codec.ts';
import type { Settings } from '../settings.ts';
import { plainBytes } from '../stream.ts';
import { calculateTokens } from '../tokens.ts';
import { createContext, formatBody, PLAIN, type ParsedCall, type OperationHandler } from '../transport.ts';
import { createVector } from './vector.ts';

type Input = EmbedRequest['inputs'][number];

const DIMENSIONS = 256;
const MAX_DIMENSIONS = 8_192;
/** Limits the numbers of all vectors together, because a response is held in memory. */
const MAX_NUMBERS = 4_194_304;

const isText = (input: Input): input is string => typeof input === 'string';

/** The inputs without directives, which can be in the last text. */
const readInputs = ({ request: { inputs }, text }: ParsedCall<'embed'>): readonly Input[] => {
  const last = inputs.findLastIndex(isText);
  return inputs.map((input, index) => (index === last ? text : input));
};

const countInput = (input: Input): number => (isText(input) ? calculateTokens(input.length) : input.length);

const calculateUsage = (tokens: number, { pinned, usage }: Settings): { readonly usage?: Usage } =>
  usage === false
    ? {}
    : {
        usage: {
          ...noTokens,
          inputUncached: pinned?.inputUncached ?? tokens,
          source: 'provider',
        },
      };

/** @throws GatewayError 400 when the response would not fit in memory */
const checkSize = ({ inputs, dimensions = DIMENSIONS }: EmbedRequest): void => {
  if (dimensions <= MAX_DIMENSIONS && dimensions * inputs.length <= MAX_NUMBERS) return;
  throw invalidRequest(
    'dimensions',
    `The simulator returns at most ${MAX_DIMENSIONS} dimensions and ${MAX_NUMBERS} numbers in one response.`,
  );
};

/** Returns a vector for each text or list of token ids, the same for the same input. */
export const embedHandler: OperationHandler<'embed'> = {
  readText: ({ inputs }) => inputs.findLast(isText) ?? '',
  check: checkSize,
  reply: (parsed, target, pacer) => {
    const { request, settings } = parsed;
    const inputs = readInputs(parsed);
    const tokens = inputs.reduce((sum, input) => sum + countInput(input), 0);
    const response: EmbedResponse = {
      model: target.model.name,
      vectors: inputs.map((input) => createVector(input, request.dimensions ?? DIMENSIONS)),
      ...calculateUsage(tokens, settings),
    };
    const context = createContext(parsed, target, {
      digest: hash('sha256', JSON.stringify(inputs), 'hex'),
      tokens: settings.usage === false ? 0 : tokens,
    });
    return {
      status: 200,
      headers: PLAIN,
      body: plainBytes(formatBody(target.side.encodeResponse(response, context)), settings, pacer),
    };
  },
};

import { hash } from 'node:crypto';
import { invalidRequest, type EmbedRequest, type EmbedResponse, type Usage } from '../../../core/index.ts';
import type { Settings } from '../settings.ts';
import { plainBytes } from '../stream.ts';
import { calculateTokens } from '../tokens.ts';
import { createContext, formatBody, PLAIN, type Asked, type Craft } from '../transport.ts';
import { createVector } from './vector.ts';

type Input = EmbedRequest['inputs'][number];

const DIMENSIONS = 256;
const MOST_DIMENSIONS = 8_192;
/** Numbers of all vectors together: an answer is held in memory. */
const MOST_NUMBERS = 4_194_304;

const isText = (input: Input): input is string => typeof input === 'string';

/** The inputs without the directives, which may stand in the last text. */
const readInputs = ({ request: { inputs }, text }: Asked<'embed'>): readonly Input[] => {
  const last = inputs.findLastIndex(isText);
  return inputs.map((input, index) => (index === last ? text : input));
};

const countInput = (input: Input): number => (isText(input) ? calculateTokens(input.length) : input.length);

const calculateUsage = (tokens: number, { pinned, usage }: Settings): { readonly usage?: Usage } =>
  usage === false
    ? {}
    : {
        usage: {
          inputUncached: pinned?.inputUncached ?? tokens,
          cacheRead: 0,
          cacheWrite5m: 0,
          cacheWrite1h: 0,
          output: 0,
          reasoning: 0,
          source: 'provider',
        },
      };

/** @throws GatewayError 400 when the answer would be too large to be held */
const checkSize = ({ inputs, dimensions = DIMENSIONS }: EmbedRequest): void => {
  if (dimensions <= MOST_DIMENSIONS && dimensions * inputs.length <= MOST_NUMBERS) return;
  throw invalidRequest(
    'dimensions',
    `The simulator gives at most ${MOST_DIMENSIONS} dimensions and ${MOST_NUMBERS} numbers in one answer.`,
  );
};

/** Texts and token ids become vectors: the same for the same input. */
export const embedding: Craft<'embed'> = {
  readText: ({ inputs }) => inputs.findLast(isText) ?? '',
  check: checkSize,
  reply: (asked, line, pacer) => {
    const { request, settings } = asked;
    const inputs = readInputs(asked);
    const tokens = inputs.reduce((sum, input) => sum + countInput(input), 0);
    const response: EmbedResponse = {
      model: line.model.name,
      vectors: inputs.map((input) => createVector(input, request.dimensions ?? DIMENSIONS)),
      ...calculateUsage(tokens, settings),
    };
    const context = createContext(asked, line, {
      digest: hash('sha256', JSON.stringify(inputs), 'hex'),
      tokens: settings.usage === false ? 0 : tokens,
    });
    return {
      status: 200,
      headers: PLAIN,
      body: plainBytes(formatBody(line.side.encodeResponse(response, context)), settings, pacer),
    };
  },
};

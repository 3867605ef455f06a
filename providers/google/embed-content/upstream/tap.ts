import { toGatewayError, type GatewayError, type Seen, type Tap, type Usage } from '../../../../core/index.ts';
import { describeError } from '../../generate-content/client/error.ts';
import { readAnswer } from './response.ts';

/** Watches an answer that is passed on as it came. Vectors are never streamed, so it is always whole. */
export const createTap = (): Tap => {
  const seen: { usage?: Usage; error?: GatewayError; readonly outputChars: number } = { outputChars: 0 };
  return {
    seen: seen as Seen,
    see: () => 'pass',
    body: (body) => {
      try {
        const { usage } = readAnswer(body);
        if (usage !== undefined) seen.usage = usage;
      } catch (thrown) {
        seen.error = toGatewayError(thrown);
      }
    },
    end: () => undefined,
    fail: (error, write) => write(undefined, JSON.stringify(describeError(error))),
  };
};

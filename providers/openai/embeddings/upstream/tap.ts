import { toGatewayError, type GatewayError, type Seen, type Tap, type Usage } from '../../../../core/index.ts';
import { describeError } from '../../chat-completions/client/error.ts';
import { readText } from '../../foreign-json.ts';
import { readUsage } from '../usage.ts';
import { readData } from './response.ts';

/** Watches an answer that is passed on as it came. Vectors are never streamed, so it is always whole. */
export const createTap = (): Tap => {
  const seen: { usage?: Usage; model?: string; error?: GatewayError; readonly outputChars: number } = { outputChars: 0 };
  const note = (body: unknown): void => {
    const { answer } = readData(body);
    const usage = readUsage(answer['usage']);
    const model = readText(answer['model']);
    if (usage !== undefined) seen.usage = usage;
    if (model !== '') seen.model = model;
  };
  return {
    seen: seen as Seen,
    see: () => 'pass',
    body: (body) => {
      try {
        note(body);
      } catch (thrown) {
        seen.error = toGatewayError(thrown);
      }
    },
    end: () => undefined,
    fail: (error, write) => write(undefined, JSON.stringify(describeError(error))),
  };
};

import { createAnswerTap, type Tap } from '../../../../core/index.ts';
import { describeError } from '../../chat-completions/client/response/error.ts';
import { present, readText } from '../../foreign-json.ts';
import { readUsage } from '../usage.ts';
import { readData } from './response.ts';

const readFigures = (body: unknown) => {
  const { answer } = readData(body);
  return present({ usage: readUsage(answer['usage']), model: readText(answer['model']) || undefined });
};

export const createTap = (): Tap =>
  createAnswerTap(readFigures, (error, write) => write(undefined, JSON.stringify(describeError(error))));

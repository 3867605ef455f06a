import { createResponseTap, type Tap } from '../../../../core/index.ts';
import { encodeErrorBody } from '../../generate-content/client/response/error.ts';
import { readAnswer } from './response.ts';

const readUsage = (body: unknown) => {
  const { usage } = readAnswer(body);
  return usage === undefined ? {} : { usage };
};

export const createTap = (): Tap =>
  createResponseTap(readUsage, (error, write) => write(undefined, JSON.stringify(encodeErrorBody(error))));

import { createResponseTap, type Tap } from '../../../../core/api/codec.ts';
import { encodeErrorBody } from '../../generate-content/client/response/error.ts';
import { readEmbeddings } from './response.ts';

const readUsage = (body: unknown) => {
  const { usage } = readEmbeddings(body);
  return usage === undefined ? {} : { usage };
};

export const createTap = (): Tap =>
  createResponseTap(readUsage, (error, write) => write(undefined, JSON.stringify(encodeErrorBody(error))));

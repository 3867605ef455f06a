import { createResponseTap, omitUndefined, type Tap } from '../../../core/api/codec.ts';
import { writeError } from './error.ts';
import { decodeResponse } from './response.ts';

const readFigures = (body: unknown) => {
  const { usage, model } = decodeResponse(body);
  return omitUndefined({ usage, model });
};

export const createTap = (): Tap =>
  createResponseTap(readFigures, (error, write) => write(undefined, JSON.stringify(writeError(error))));

import { createResponseTap, isObject, omitUndefined, type Tap } from '../../../core/api/codec.ts';
import { writeError } from './error.ts';
import { decodeResponse, readUsage } from './response.ts';

const readFigures = (body: unknown) => {
  decodeResponse(body);
  return omitUndefined({ usage: isObject(body) ? readUsage(body) : undefined });
};

export const createTap = (): Tap =>
  createResponseTap(readFigures, (error, write) => write(undefined, JSON.stringify(writeError(error))));

import { createCountTap, type Tap } from '../../../../core/api/codec.ts';
import { writeError } from '../../chat-completions/client/response/error.ts';
import { decodeResponse } from './response.ts';

export const createTap = (): Tap => createCountTap(decodeResponse, writeError);

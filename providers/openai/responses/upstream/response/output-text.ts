import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, readList } from '../../../../../core/api/codec.ts';

import { readMessage } from './message.ts';

/** `output_text`: the texts of all messages. Clients of this gateway rely on it; OpenAI's API leaves it to the SDK. */
export const readOutputText = ({ output }: Readonly<JsonObject>): string =>
  readList(output)
    .filter(isObject)
    .filter(({ type }) => type === 'message')
    .flatMap(readMessage)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');

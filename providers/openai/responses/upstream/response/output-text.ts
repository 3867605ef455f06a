import { isObject, type JsonObject, readList } from '../../../../../core/index.ts';

import { readMessage } from './message.ts';

/** All that the messages of an answer say: mission.md promises it as `output_text`, the vendor's SDK makes it up by itself. */
export const readOutputText = ({ output }: Readonly<JsonObject>): string =>
  readList(output)
    .filter(isObject)
    .filter(({ type }) => type === 'message')
    .flatMap(readMessage)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');

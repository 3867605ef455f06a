import type { EventEncoder } from '../../../../core/api/codec.ts';
import { writeError } from '../../chat-completions/client/response/error.ts';

/** Only native streams have content. This writes the error of one that has none. */
export const encodeStream = (): EventEncoder => ({
  push: (event, write) => {
    if (event.type === 'error') writeError(event.error, write);
  },
});

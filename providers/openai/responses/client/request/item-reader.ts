import type { GenerateRequest, JsonObject, VendorOnly } from '../../../../../core/api/index.ts';
import type { Members } from '../../../../../core/api/codec.ts';
import type { MeasureImage } from '../../../chat-completions/client/request/media.ts';
import type { Conversation } from './conversation.ts';

/** Settings of the response that follows the conversation. Each replaces that of the request. */
export type Updates = { -readonly [K in 'reasoning' | 'output' | 'verbosity']?: GenerateRequest[K] };

/** What the readers of items share. */
export interface ItemReader {
  readonly measureImage: MeasureImage;
  readonly conversation: Conversation;
  /** Settings that items change. */
  readonly updates: Updates;
  /** Paths of items that refer to something stored at the vendor. */
  readonly references: string[];
  readonly vendorOnly: VendorOnly[];
}
export type ReadItem = (item: Members, reader: ItemReader, value: JsonObject) => void;

import type { JsonObject } from '../wire.ts';

/** What the files of a form hold. The first bytes must be of such a kind. */
export type FileKind = 'audio' | 'image';

/** How a wire takes multipart forms. */
export interface FormRules {
  /**
   * The fields that are files, and what they hold. All other fields are texts. A name that ends with `[]` can be
   * repeated.
   * @example files: { file: 'audio' }
   */
  readonly files: Readonly<Record<string, FileKind>>;
  /** The wire takes JSON as well: a body of another type than `multipart/form-data` is read as such. */
  readonly orJson?: true;
}

/** A file of a form, as it stands in {@link InboundRequest.body}. Its bytes are in the {@link Upload}. */
export interface UploadedFile {
  readonly filename: string;
  /** By its first bytes: `audio/wav`. */
  readonly type: string;
  readonly bytes: number;
  /** How long it plays, by its container. Absent: the container does not say. */
  readonly seconds?: number;
}

/** A file of a form that was read into memory. */
export interface LoadedFile {
  readonly mediaType: string;
  readonly base64: string;
}

/** A multipart form. Its files are not in memory. */
export interface Upload {
  /**
   * The form with these members in the place of its texts: a list is repeated, a file of the form keeps its name.
   * @param members of `body`, with edits
   */
  write(members: Readonly<JsonObject>): UploadContent;
  /**
   * The files of a field in memory, for a target whose wire has no forms. They count as memory of the request.
   * @throws GatewayError `request_too_large`, `overloaded`, `rate_limit_exceeded`
   */
  load(field: string): Promise<readonly LoadedFile[]>;
}

/**
 * The bytes of a form as they are sent. Each iteration reads them again, for another attempt. A chunk is valid until
 * the next one is asked for.
 */
export interface UploadContent extends AsyncIterable<Uint8Array> {
  readonly contentType: string;
  readonly length: number;
}

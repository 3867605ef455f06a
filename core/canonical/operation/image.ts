import type { ExtraMembers } from '../json/extra-members.ts';
import type { MediaPart } from '../part.ts';
import type { Usage } from '../usage.ts';

/** A request to generate images from a text, or to edit images by it, independent of any wire. */
export interface ImageRequest {
  /** Empty: variations of the images are made. */
  readonly prompt: string;
  /** The images to edit. Empty: images are made from the prompt alone, or those of `uploaded` are edited. */
  readonly images: readonly MediaPart[];
  /** Images to edit whose bytes are in the form of the client only: {@link InboundRequest.upload}. */
  readonly uploaded?: readonly UploadedImage[];
  /** How many images the client wants, at least 1. */
  readonly count: number;
  /** Width and height in pixels (`1536x1024`), or a word of the vendor. Absent: the vendor chooses. */
  readonly size?: string;
  /** A word of the vendor: `low`, `high`, `hd`. */
  readonly quality?: string;
  /** The file format: `png`, `jpeg`, `webp`. */
  readonly format?: string;
  /** Whether the response has addresses or the bytes of the images. Absent: as the vendor does. */
  readonly delivery?: 'url' | 'bytes';
  readonly stream: boolean;
  readonly user?: string;
  readonly extra: ExtraMembers;
}

/** An image in the form of the client. */
export interface UploadedImage {
  readonly field: string;
  readonly mediaType: string;
  readonly bytes: number;
}

/** An image that was generated. */
export interface GeneratedImage {
  readonly media: MediaPart['media'];
  /** The prompt as the vendor has rewritten it. */
  readonly revisedPrompt?: string;
}

/** The images that were generated. */
export interface ImageResponse {
  /** Unix seconds. */
  readonly created?: number;
  readonly model?: string;
  readonly images: readonly GeneratedImage[];
  /** What the vendor chose, under its names. */
  readonly size?: string;
  readonly quality?: string;
  readonly format?: string;
  readonly background?: string;
  readonly usage?: Usage;
}

/** Width and height in pixels of a size such as `1536x1024`; undefined for a word. */
export const readSize = (size: string | undefined): { readonly width: number; readonly height: number } | undefined => {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(size ?? '') ?? [];
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) };
};

/**
 * Tokens of an image of 1024 by 1024 pixels: https://platform.openai.com/docs/guides/image-generation#cost-and-latency.
 * Other vendors bill fewer.
 */
const TOKENS_BY_QUALITY: ReadonlyMap<string | undefined, number> = new Map([
  ['low', 272],
  ['medium', 1_056],
]);
const MOST_TOKENS = 4_160;
const SQUARE = 1_024 * 1_024;

/** The tokens of one image as it was asked for: an upper estimate, for limits. */
export const estimateImageTokens = ({ size, quality }: Pick<ImageRequest, 'size' | 'quality'>): number => {
  const pixels = readSize(size);
  const area = pixels === undefined ? SQUARE : pixels.width * pixels.height;
  return Math.ceil(((TOKENS_BY_QUALITY.get(quality) ?? MOST_TOKENS) * area) / SQUARE);
};

import * as anthropic from '@anthropic-ai/sdk';
import { ApiError } from '@google/genai';
import * as openai from 'openai';

type ErrorClass = abstract new (...args: never[]) => Error;
type ByStatus = Readonly<Record<number, ErrorClass>>;

const openaiErrors: ByStatus = {
  400: openai.BadRequestError,
  404: openai.NotFoundError,
  429: openai.RateLimitError,
  500: openai.InternalServerError,
  502: openai.InternalServerError,
  503: openai.InternalServerError,
};
const anthropicErrors: ByStatus = {
  400: anthropic.BadRequestError,
  404: anthropic.NotFoundError,
  429: anthropic.RateLimitError,
  500: anthropic.InternalServerError,
  529: anthropic.InternalServerError,
};

/** The class that the SDK of a wire throws for a status, or without one within a stream. */
export const errorClass = (wire: string, status?: number): ErrorClass => {
  if (wire === 'generate-content' || wire === 'embed-content') return ApiError;
  // The SDK does not export the classes of interactions.
  if (wire === 'interactions') return Error;
  const [byStatus, base] =
    wire === 'messages' ? [anthropicErrors, anthropic.APIError] : [openaiErrors, openai.APIError];
  return (status === undefined ? undefined : byStatus[status]) ?? base;
};

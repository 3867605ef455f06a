import { GatewayError } from '../../../../core/index.ts';
import { readText } from '../shape.ts';

export const malformed = (): GatewayError => new GatewayError('upstream_bad_response', 'The provider sent something that is no answer of generate-content.');
export const truncated = (): GatewayError => new GatewayError('upstream_truncated');

/** The model wrote a call that cannot be read, or one that was not declared: another attempt may do better. */
export const failedAnswer = (word: string, message: unknown): GatewayError =>
  new GatewayError('upstream_bad_response', `The provider ended the answer with ${word}${readText(message) === '' ? '' : `: ${readText(message)}`}`);

/** The wire of `POST /v1/responses`: https://platform.openai.com/docs/api-reference/responses */
export const WIRE = 'responses';

/** The value of `include` that requests reasoning in a form that can be sent back. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/** The value of `include` that requests log probabilities. */
export const LOGPROBS = 'message.output_text.logprobs';

export { omitKnown } from '../omit-known.ts';

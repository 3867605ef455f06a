/** The wire of `POST /v1/responses`: https://platform.openai.com/docs/api-reference/responses */
export const WIRE = 'responses';

/** What asks the vendor to hand out reasoning in a form that can be given back to it. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

export { omitKnown } from '../omit-known.ts';

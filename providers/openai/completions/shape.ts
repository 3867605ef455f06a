/** The wire of `POST /v1/completions`: https://platform.openai.com/docs/api-reference/completions */
export const WIRE = 'completions';

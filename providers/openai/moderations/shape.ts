/** The wire of `POST /v1/moderations`: https://platform.openai.com/docs/api-reference/moderations */
export const WIRE = 'moderations';

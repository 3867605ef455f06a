/** The wire of `POST /v2/embed`. */
export const WIRE = 'cohere-embed';

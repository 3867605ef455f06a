/** The wire of InvokeModel of models that make images. */
export const WIRE = 'bedrock-images';

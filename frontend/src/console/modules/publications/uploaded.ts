/** A picture that was uploaded here: whatever the store's address is, its name has 64 digits. */
export const isUploaded = (address: string): boolean =>
  /^https?:\/\/\S+\/p\/[0-9a-f]{64}\.(png|jpg)$/.test(address);

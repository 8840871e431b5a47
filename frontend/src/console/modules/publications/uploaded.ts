/** Whether it is an uploaded picture: on any store, its name has 64 digits. */
export const isUploaded = (address: string): boolean =>
  /^https?:\/\/\S+\/p\/[0-9a-f]{64}\.(png|jpg)$/.test(address);

/** Reads images that the person pastes, drops or chooses. */
import { type ImageContent, imageTypeOf } from "@localharness/protocol";

/** Returns the images among the files, and the names of the other files. Rejects if a file cannot be read. */
export async function readImageFiles(
  files: readonly File[],
): Promise<{ readonly images: readonly ImageContent[]; readonly others: readonly string[] }> {
  const images: ImageContent[] = [];
  const others: string[] = [];
  for (const file of files) {
    const data = await base64Of(file);
    const mediaType = imageTypeOf(data);
    const name = file.name.slice(0, 200) || "pasted image";
    if (mediaType === undefined) others.push(name);
    else images.push({ mediaType, data, name });
  }
  return { images, others };
}

async function base64Of(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(",") + 1);
}

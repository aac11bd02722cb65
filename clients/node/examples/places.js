// Places that exist: a model names them, and this program's own list says which there are.
//
//     node examples/places.js "Top coffee shops in Austin"

import { Atelier } from "atelier-studio";

// A real host would ask a map here.
const PLACES = [
  { name: "Houndstooth Coffee", streetAddress1: "401 Congress Ave", city: "Austin", state: "TX", postalCode: "78701",
    country: "United States", coordinate: { latitude: 30.2667, longitude: -97.7428 } },
  { name: "Epoch Coffee", streetAddress1: "221 W North Loop Blvd", city: "Austin", state: "TX", postalCode: "78751",
    country: "United States", coordinate: { latitude: 30.3181, longitude: -97.7243 } },
  { name: "茶亭 羽當", streetAddress1: "渋谷1-15-19", city: "渋谷区", state: "東京都", postalCode: "150-0002", country: "日本" },
];

const locationSearch = ({ query }) => PLACES.filter(({ name }) => query.toLowerCase().includes(name.toLowerCase()));

try {
  await Atelier.use({ locationSearch }, async (studio) => {
    const result = await studio.generate({ recipe: "places", prompt: process.argv[2], limit: 5 });
    for (const place of result.places) {
      console.log(`${place.name}: ${place.streetAddress1}, ${place.postalCode} ${place.city}`);
    }
    if (result.dropped?.count) console.error(`${result.dropped.count} could not be verified.`);
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

#include <stdint.h>

// Empty locale data for ICU, in place of the 34 MB that Foundation brings along. GRDB links Foundation, but nothing here
// formats dates or numbers for people, sorts by language or uses `NSRegularExpression`. Those who do first remove this
// file.

/// A package of ICU data, as `udata.h` and `ucmndata.h` of ICU describe it.
struct LocaleData {
  uint16_t headerSize;
  uint8_t magic1, magic2;
  uint16_t infoSize;
  uint16_t reserved;
  uint8_t isBigEndian, charsetFamily, bytesPerUnit, reservedByte;
  uint8_t format[4], formatVersion[4], dataVersion[4];
  uint8_t padding[8];
  uint32_t count, reservedCount;
  const void *entries[2];
};

// The linker takes ICU's own object from its archive only if nothing else defines this name. It contains ICU's version:
// `make dist` refuses an executable that has grown because a new toolchain uses another name. Hidden, so that programs
// that load Foundation as a shared library keep the data of that library.
__attribute__((visibility("hidden"), aligned(16))) const struct LocaleData icudt76_dat = {
    .headerSize = 32,
    .magic1 = 0xda,
    .magic2 = 0x27,
    .infoSize = 20,
    .bytesPerUnit = 2,
    .format = {'T', 'o', 'C', 'P'},
    .formatVersion = {1},
};

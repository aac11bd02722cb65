/// Empty locale data for ICU, in place of the 34 MB that Foundation brings along. GRDB links Foundation, but nothing here
/// formats dates or numbers for people, sorts by language or uses `NSRegularExpression`. Those who do first remove this
/// module.
#ifndef CEMPTYLOCALEDATA_H
#define CEMPTYLOCALEDATA_H
#endif

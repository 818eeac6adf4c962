//! The values in a line of a retire log, with messages that name the expected value.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

/// A JSON object. By default, serde also accepts an array of the values.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object in braces")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// A linear address: `"0x..."`, or an unsigned number.
#[derive(Default)]
pub(super) struct Address(pub(super) u64);

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AddressVisitor;

        impl Visitor<'_> for AddressVisitor {
            type Value = Address;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an address: a string of up to 16 hexadecimal digits after `0x`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Address, E> {
                let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
                // `from_str_radix` would accept a sign.
                let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                let value = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
                value.map(Address).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Address, E> {
                Ok(Address(value))
            }
        }

        deserializer.deserialize_any(AddressVisitor)
    }
}

/// Reads a number in a range; the message of an error names the range.
fn number<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
    allowed: fn(u64) -> bool,
    expected: &'static str,
) -> Result<T, D::Error> {
    struct NumberVisitor<T>(fn(u64) -> bool, &'static str, PhantomData<T>);

    impl<T: TryFrom<u64>> Visitor<'_> for NumberVisitor<T> {
        type Value = T;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(self.1)
        }

        fn visit_u64<E: de::Error>(self, value: u64) -> Result<T, E> {
            let small = Some(value).filter(|value| self.0(*value)).and_then(|value| T::try_from(value).ok());
            small.ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(value), &self))
        }
    }

    deserializer.deserialize_u64(NumberVisitor(allowed, expected, PhantomData))
}

/// A privilege level.
pub(super) struct Cpl(pub(super) u8);

impl Default for Cpl {
    /// Returns user mode.
    fn default() -> Self {
        Self(3)
    }
}

impl<'de> Deserialize<'de> for Cpl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, |value| value <= 3, "a privilege level from 0 to 3").map(Self)
    }
}

/// The source of data.
#[derive(Default)]
pub(super) struct Source(pub(super) u8);

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, |value| value <= 7, "a data source from 0 to 7").map(Self)
    }
}

/// The number of bytes of an instruction; 0 if not given.
#[derive(Default)]
pub(super) struct Length(pub(super) u8);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, |value| (1..=15).contains(&value), "a length from 1 to 15 bytes").map(Self)
    }
}

/// The number of bytes of a store.
pub(super) struct StoreSize(pub(super) u16);

impl<'de> Deserialize<'de> for StoreSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, |value| value >= 1, "a size from 1 to 65535 bytes").map(Self)
    }
}

/// The number of ports that an instruction accesses.
pub(super) struct Ports(pub(super) u8);

impl<'de> Deserialize<'de> for Ports {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, |value| matches!(value, 1 | 2 | 4), "a size of 1, 2 or 4 ports").map(Self)
    }
}

/// The lowest port.
pub(super) struct Port(pub(super) u16);

impl<'de> Deserialize<'de> for Port {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Address(value) = Address::deserialize(deserializer)?;
        let port = u16::try_from(value).ok();
        port.map(Self).ok_or_else(|| {
            let found = de::Unexpected::Unsigned(value);
            de::Error::invalid_value(found, &"a port from 0 to 0xffff")
        })
    }
}

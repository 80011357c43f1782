import FoundationEssentials
import Testing

@testable import Processing

@Suite struct ProfileCopyAndSchemaTests {
    @Test("A copy of a profile has the same text, is valid, and overwrites no other")
    func copy() throws {
        let folder = try TemporaryFolder()
        let library = ProfileLibrary(folder: folder.path + "/made/profiles")
        let path = try library.copy("document", as: "letters")
        #expect(path == folder.path + "/made/profiles/letters.json5")
        #expect(try library.text(of: "letters") == library.text(of: "document"))
        #expect(try library.load("letters").name == "letters")
        #expect(throws: ProfileError.self) { try library.copy("none", as: "letters") }
        #expect(try library.text(of: "letters") == library.text(of: "document"))
    }

    @Test(
        "Copying needs a valid name and an existing profile",
        arguments: ["../x", "", "a b", "-x"])
    func badName(_ name: String) throws {
        let folder = try TemporaryFolder()
        let library = ProfileLibrary(folder: folder.path)
        #expect(throws: ProfileError.self) { try library.copy("document", as: name) }
        #expect(throws: ProfileError.self) { try library.copy("dokument", as: "fine") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    private struct Schema: Decodable {
        struct Property: Decodable {
            struct Items: Decodable { var oneOf: [Step]? }
            var items: Items?
        }
        struct Step: Decodable {
            struct Options: Decodable { var properties: [String: Option] }
            struct Option: Decodable {
                var minimum: Double?
                var maximum: Double?
                var description: String
            }
            var `enum`: [String]?
            var properties: [String: Options]?
        }
        var properties: [String: Property]
    }

    @Test("The schema names every step and option with its range and help")
    func schema() throws {
        let schema = try JSONDecoder().decode(
            Schema.self, from: Data(try ProfileSchema.text().utf8))
        let steps = try #require(schema.properties["steps"]?.items?.oneOf)
        #expect(steps.compactMap(\.enum).first == StepCatalog.declarations.map(\.name))
        for declaration in StepCatalog.declarations {
            let step = steps.compactMap { $0.properties?[declaration.name] }.first
            #expect(Set((step?.properties ?? [:]).keys) == Set(declaration.options.map(\.name)))
            for option in declaration.options {
                let described = step?.properties[option.name]
                #expect(described?.description == option.help)
                if case .number(let range, _) = option.kind {
                    #expect(described?.minimum == range.lowerBound)
                    #expect(described?.maximum == range.upperBound)
                }
            }
        }
    }
}
